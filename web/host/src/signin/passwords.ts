// The server's requirements for a password. Used by the forms that set one.

/** The least number of characters. */
export const SHORTEST = 8;
