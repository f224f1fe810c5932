// What ESLint holds against TypeScript and Svelte; the compiler's own checks are in tsconfig.json and svelte-check.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import svelteConfig from './svelte.config.js';

/** Which rooms a room must not look into, and of which it knows types alone; the arrows are in ARCHITECTURE.md. */
const walls = (room, forbidden, typesOnly = []) => {
  const message = `${room} must not know this room.`;
  const closed = forbidden.map((other) => ({ group: [other].flat(), message }));
  const types = typesOnly.map((other) => ({ group: [other], message, allowTypeImports: true }));
  return {
    files: [`${room}/src/**`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [...closed, ...types] }] },
  };
};

export default ts.config(
  { ignores: ['dist/', '.svelte-check/', 'ui/src/words/generated/', 'sdk/src/generated/', 'e2e/test-results/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...ts.configs.stylistic,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      // The compiler checks undefined names, and knows more.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/no-inline-styles': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  walls('sdk', ['$ui/*', '$words/*', 'svelte', 'svelte/*', '**/play/**', '**/host/**', '**/results/**', '**/screen/**', '**/ui/**']),
  walls('ui', ['$sdk', '**/play/**', '**/host/**', '**/results/**', '**/screen/**']),
  walls('play', ['**/host/src/**', '**/screen/src/**']),
  walls('screen', ['**/host/src/**', '**/play/src/**']),
  walls('host', ['**/play/src/**']),
  walls('results', ['**/play/src/**', '**/host/src/**', ['**/screen/src/*', '!**/screen/src/replay']]),
);
