// What the server asks of a password. Used by the forms that make one.

/** Characters at least. */
export const SHORTEST = 8;
