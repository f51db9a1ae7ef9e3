// The one error the package throws: a caller's mistake, told at construction and never in the middle of a run.

export type ContinuityErrorCode = 'invalid-option';

/** Names what was given, what is allowed and what to do. Expected outcomes are values, never this. */
export class ContinuityError extends Error {
  override readonly name = 'ContinuityError';
  readonly code: ContinuityErrorCode;

  constructor(code: ContinuityErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A whole number within a range, or the default when the option is absent.
 *
 * Throws a `ContinuityError` for anything else, booleans and numeric strings among it.
 */
export function integerOption(
  name: string,
  given: unknown,
  range: { readonly default: number; readonly min: number; readonly max: number },
): number {
  if (given === undefined) return range.default;
  if (typeof given === 'number' && Number.isInteger(given) && given >= range.min && given <= range.max) {
    return given;
  }
  const shown = typeof given === 'string' ? JSON.stringify(given) : String(given);
  throw new ContinuityError(
    'invalid-option',
    `${name}: ${shown} given; a whole number from ${range.min} to ${range.max} is allowed. ` +
      `Leave it out for ${range.default}.`,
  );
}
