// Text out of bytes: UTF-8, UTF-16 behind a byte order mark, and otherwise the character set that the text names or that
// old programs write. Used by source.ts. Pure.

/** A text and the character set it was read in. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
  /** Whether the file says that it is this one; otherwise it is a guess that the host should look at. */
  readonly isSure: boolean;
}

/** What programs without Unicode write in Western Europe. */
const LEGACY = 'windows-1252';

/** Bytes in which an XML declaration is looked for. */
const DECLARATION = 200;

/** Reads the text; characters that the character set lacks become U+FFFD. */
export function decode(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return sure('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return sure('utf-16be', bytes);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', isSure: true };
  } catch {
    const declared = declaredIn(bytes);
    if (declared !== null) return sure(declared, bytes);
    return { ...sure(LEGACY, bytes), isSure: false };
  }
}

function sure(encoding: string, bytes: Uint8Array): Decoded {
  return { text: new TextDecoder(encoding).decode(bytes), encoding, isSure: true };
}

/** The character set of an XML declaration, if this browser knows it. */
function declaredIn(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, DECLARATION));
  const label = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1];
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
