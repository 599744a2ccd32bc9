/** What is wrong with a value. */
export interface ValidationError {
  /** Where, as a JSON Pointer. */
  instancePath: string;
  /** The keyword of the schema that the value breaks. */
  keyword: string;
  /** Where the keyword is, in the schema that the validator was made of. */
  schemaPath: string;
  /** What the keyword asks for. */
  params: Record<string, unknown>;
  message?: string;
}

/** Says whether a value is of a type, and narrows it. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** What was wrong with the last value; null if nothing was. */
  errors?: ValidationError[] | null;
}
