import { DRAWING_SIDE, hex, type Square, SQUARE_SIDE } from "@/lib/contract/challenge-proof";

import { attempt } from "./read";
import { pixelsOf } from "./signals/canvas";

/** Paints the squares of a challenge and reads their corners back; "" where the browser draws or gives back nothing. */
export const draw = (squares: Square[]): string =>
  attempt(() => {
    const pixels = pixelsOf(DRAWING_SIDE, DRAWING_SIDE, (context) => {
      for (const [x, y, colour] of squares) {
        context.fillStyle = `#${colour}`;
        context.fillRect(x, y, SQUARE_SIDE, SQUARE_SIDE);
      }
    });
    return pixels && squares.map(([x, y]) => hex(pixels[y * DRAWING_SIDE + x] as number)).join("");
  }) ?? "";
