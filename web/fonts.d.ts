// Modules without types of their own: those of mathfont.ts, and the one that it makes.

declare module 'subset-font' {
  export default function subsetFont(font: Uint8Array, text: string, options: { readonly targetFormat: 'woff2' }): Promise<Uint8Array>;
}

declare module 'fontverter' {
  export function convert(font: Uint8Array, format: 'sfnt'): Promise<Uint8Array>;
}

declare module 'virtual:math-font' {
  /** The address of the font of formulas. */
  const address: string;
  export default address;
}
