// Prepares a picture for sending: scales it to the size that a screen shows, and redraws it, so that only its pixels are sent: no
// place, no camera, no date. Called by MediaField.

/** The longer side of a picture, in pixels. */
const LONGEST = 1_600;
/** The most bytes that the server accepts. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The attempts until the picture is small enough. A browser that cannot write WebP writes PNG instead. */
const ATTEMPTS = [
  { type: 'image/webp', quality: 0.9 },
  { type: 'image/jpeg', quality: 0.85 },
  { type: 'image/jpeg', quality: 0.6 },
] as const;

/** The picture as it is sent. Throws when the browser cannot read it. */
export async function redrawn(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file);
  try {
    const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    for (const { type, quality } of ATTEMPTS) {
      draw(canvas, image, type === 'image/jpeg');
      const drawn = await written(canvas, type, quality);
      if (drawn && drawn.size <= MOST_BYTES) return drawn;
    }
    throw new Error('too large');
  } finally {
    image.close();
  }
}

/** Whether the browser can read it. */
export async function isDrawn(file: Blob): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/** JPEG has no transparency: transparent parts become white. */
function draw(canvas: HTMLCanvasElement, image: ImageBitmap, isOpaque: boolean): void {
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.clearRect(0, 0, canvas.width, canvas.height);
  if (isOpaque) {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
}

const written = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> =>
  new Promise((done) => {
    canvas.toBlob(done, type, quality);
  });
