import type { KeyState } from "./key-state";

type Key = { keyId: string; name: string; state: KeyState };
type Use = { keyId: string; code: string; calls: number };

/** Minimum refusals, and their minimum share of all calls, for a usable key to count as failing. */
const MIN_REFUSED = 10;
const MIN_SHARE = 0.05;

/** Keys whose calls are refused, most refusals first. An expired or revoked key is included from its first call. */
export function findFailing(keys: readonly Key[], uses: readonly Use[]) {
  return keys
    .flatMap(({ keyId, name, state }) => {
      const own = uses.filter((use) => use.keyId === keyId);
      const refusals = own.filter(({ code }) => code !== "").toSorted((a, b) => b.calls - a.calls);
      const refused = refusals.reduce((sum, { calls }) => sum + calls, 0);
      const answered = own.reduce((sum, { code, calls }) => sum + (code === "" ? calls : 0), 0);
      const [most] = refusals;
      const isEnded = state === "expired" || state === "revoked";
      const isFailing = refused >= MIN_REFUSED && refused >= (refused + answered) * MIN_SHARE;
      return most && (isEnded || isFailing) ? [{ keyId, name, state, refused, answered, code: most.code }] : [];
    })
    .toSorted((a, b) => b.refused - a.refused);
}
