// Compiler options of every component; read by vite, svelte-check and ESLint.
export default {
  compilerOptions: { runes: true },
};
