import { flag, number, pick, text } from "../read";
import { realm } from "./realm";

/** The page's own `navigator`. */
export const readNavigator = () => ({
  ...realm(navigator),
  ...pick(navigator, text, "language vendor productSub oscpu"),
  ...pick(navigator, number, "maxTouchPoints"),
  ...pick(navigator, flag, "pdfViewerEnabled"),
  isBrave: "brave" in navigator,
});
