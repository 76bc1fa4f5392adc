import { hash } from "@/lib/contract/challenge-proof";

import { yieldTask } from "../read";

const WIDTH = 120;
const HEIGHT = 40;

/** Pixels as 32-bit numbers after `paint`, or undefined without a 2D context. */
export const pixelsOf = (width: number, height: number, paint: (context: CanvasRenderingContext2D) => void) => {
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

/**
 * A picture of text and shapes, and whether reading pixels back is noisy.
 * Firefox from 120, Safari from 17, Brave and Samsung Internet add noise by default: neither identity nor a finding there.
 */
export const readCanvas = async () => {
  const first = pixelsOf(WIDTH, HEIGHT, paintPicture);
  await yieldTask();
  const second = pixelsOf(WIDTH, HEIGHT, paintPicture);
  const solid = pixelsOf(16, 16, (context) => {
    context.fillStyle = "#17d";
    context.fillRect(0, 0, 16, 16);
  });
  if (!first || !second || !solid) return undefined;
  return {
    hash: hash(first),
    isStable: first.every((pixel, at) => pixel === second[at]),
    // #17d in memory order, alpha last.
    solidFillErrors: solid.filter((pixel) => pixel !== 0xffdd7711).length,
  };
};
