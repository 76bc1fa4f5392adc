import { attempt } from "../read";

/** Which kinds of storage the page may use. Writes nothing. */
export const readStorage = () => ({
  localStorage: !!attempt(() => localStorage),
  sessionStorage: !!attempt(() => sessionStorage),
  indexedDb: !!attempt(() => indexedDB),
});
