import { flag, pick } from "../read";

/** Where the component runs: explains other groups, e.g. no client hints without a secure context. */
export const readPage = () => ({
  ...pick(self, flag, "isSecureContext"),
  isFramed: self !== top,
});
