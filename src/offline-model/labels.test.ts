import { expect, test } from 'vitest';
import { labelAt, labelsOf } from './labels.js';

test.each([
  ['What was the reservation number?', ['reservation']],
  ['Which reservation numbers did you find under my user ID?', ['reservation', 'user']],
  ['"user_id": "omar_davis_3817"', ['user']],
  ['{"reservationId": 1, "order-no.": 2}', ['reservation', 'order']],
  ['Flight Number: HAT084, booking code QX7', ['flight', 'book']],
  ['Your ID is 4711, with ID 12.', []],
  ['the ideas of a nobody', []],
])('%s speaks of identifiers of %j', (text, labels) => {
  expect(labelsOf(text).flatMap(({ keys }) => keys)).toEqual(labels);
});

test.each([
  ['No reservation ID, but my user ID is omar_1.', 'omar_1', ['user']],
  ['QX-77 is the booking code.', 'QX-77', ['book']],
  ['It is QX-77.', 'QX-77', undefined],
])('in %s the label of %s is %j', (text, identifier, keys) => {
  expect(labelAt(labelsOf(text), text.indexOf(identifier))?.keys).toEqual(keys);
});
