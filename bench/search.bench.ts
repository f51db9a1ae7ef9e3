// Search over a long live conversation, in Node.
import { test } from 'vitest';
import { benchSearch } from './search.js';

// How long a thread is held at a time is asked of the browser.
test('search over 10,000 live messages', () => benchSearch(async () => []));
