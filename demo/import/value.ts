// What a value read from a file is, for code and for people.

/** A JSON object, not a list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is, in words that fit after "is". */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    default:
      return value === true ? 'true' : value === false ? 'false' : `a ${typeof value}`;
  }
}
