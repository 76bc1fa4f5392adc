import { type ErrorCode, isAppError } from "@/lib/contract/errors";

const RESTRICTIONS: readonly ErrorCode[] = ["forbidden", "account_map_not_allowed"];

/** Result of `work`, or its refusal for one of these reasons. */
async function orRefusal<T>(work: Promise<T>, codes: readonly ErrorCode[]) {
  try {
    return { result: await work };
  } catch (error) {
    if (isAppError(error) && codes.includes(error.code)) return { refusal: error };
    throw error;
  }
}

/** Result of `work`; undefined if the plan or the role does not include it. */
export const unlessRestricted = async <T>(work: Promise<T>): Promise<T | undefined> =>
  (await orRefusal(work, RESTRICTIONS)).result;

/** Result of `work`; undefined for an invalid cursor or another meaningless URL. */
export const unlessInvalid = async <T>(work: Promise<T>): Promise<T | undefined> =>
  (await orRefusal(work, ["invalid_request"])).result;

/** Result of `work`, or its refusal if the plan or the role does not include it or the filters are meaningless. */
export const orRefused = <T>(work: Promise<T>) => orRefusal(work, ["invalid_request", ...RESTRICTIONS]);
