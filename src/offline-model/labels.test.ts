import { expect, test } from 'vitest';
import { labelsOf } from './labels.js';

test.each([
  ['What was the reservation number?', ['reservation']],
  ['Which reservation numbers did you find under my user ID?', ['reservation', 'user']],
  ['"user_id": "omar_davis_3817"', ['user']],
  ['{"reservationId": 1, "order-no.": 2}', ['reservation', 'order']],
  ['Flight Number: HAT084, booking code QX7', ['flight', 'book']],
  ['Your ID is 4711, with ID 12.', []],
  ['the ideas of a nobody', []],
])('%s speaks of identifiers of %j', (text, labels) => {
  expect(labelsOf(text)).toEqual(labels);
});
