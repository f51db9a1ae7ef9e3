// Search over a long live conversation, in Chromium.
import { test } from 'vitest';
import { benchSearch } from './search.js';

test('search over 10,000 live messages', () => benchSearch());
