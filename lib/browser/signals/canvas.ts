const WIDTH = 120;
const HEIGHT = 40;

/** Pixels as 32-bit numbers after `paint`, or undefined without a 2D context. */
const pixelsOf = (width: number, height: number, paint: (context: CanvasRenderingContext2D) => void) => {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  paint(context);
  return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
};

const paintPicture = (context: CanvasRenderingContext2D) => {
  context.fillStyle = "#f60";
  context.fillRect(69, 1, 50, 20);
  context.fillStyle = "#069";
  context.font = "15px Arial";
  context.fillText("Cwm fjord 1.9", 2, 17);
  context.globalCompositeOperation = "multiply";
  context.fillStyle = "#f0f";
  context.arc(40, 24, 13, 0, 6.3);
  context.fill();
};

/** Two 32-bit multiply-and-shift hashes side by side, as 16 hex digits. Not cryptographic. */
const hashPixels = (pixels: Uint32Array) =>
  [0x9e3779b1, 0x5f356495]
    .map((factor) => {
      const hash = pixels.reduce((sum, pixel) => {
        const mixed = Math.imul(sum ^ pixel, factor);
        return mixed ^ (mixed >>> 15);
      }, factor);
      return (hash >>> 0).toString(16).padStart(8, "0");
    })
    .join("");

/**
 * A picture of text and shapes, and whether reading pixels back is noisy.
 * Firefox from 120, Safari from 17, Brave and Samsung Internet add noise by default: neither identity nor a finding there.
 */
export const readCanvas = () => {
  const [first, second] = [1, 2].map(() => pixelsOf(WIDTH, HEIGHT, paintPicture));
  const solid = pixelsOf(16, 16, (context) => {
    context.fillStyle = "#17d";
    context.fillRect(0, 0, 16, 16);
  });
  if (!first || !second || !solid) return undefined;
  return {
    hash: hashPixels(first),
    isStable: first.every((pixel, at) => pixel === second[at]),
    // #17d in memory order, alpha last.
    solidFillErrors: solid.filter((pixel) => pixel !== 0xffdd7711).length,
  };
};
