import { attempt, pick } from "../read";

/** Which kinds of storage the page may use. Writes nothing. */
export const readStorage = () => ({
  ...pick(globalThis, Boolean, "localStorage sessionStorage"),
  indexedDb: !!attempt(() => indexedDB),
});
