import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import { bitmap, number, pick } from "../read";

/** Screen, window and media features. They change with docking, zoom and a second display. */
export const readScreen = () => ({
  ...pick(screen, number, "width height availWidth availHeight colorDepth"),
  ...pick(self, number, "devicePixelRatio outerWidth outerHeight innerWidth innerHeight"),
  media: bitmap(MEDIA_QUERIES, (query) => matchMedia(`(${query})`).matches),
});
