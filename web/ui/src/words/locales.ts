// The languages of the app. Used by the pages, by what checks and compiles the words, and by their tests.

/** The first is the one that others are compared with. Compiled sentences have their texts in this order. */
export const LOCALES = ['en', 'de', 'es', 'fr'] as const;

export type Language = (typeof LOCALES)[number];
