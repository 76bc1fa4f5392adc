import { type ErrorCode, isAppError } from "@/lib/contract/errors";

const RESTRICTIONS: readonly ErrorCode[] = ["forbidden", "account_map_not_allowed"];

/** Result of `work`; undefined if the plan or the role does not include it. */
export async function unlessRestricted<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error) && RESTRICTIONS.includes(error.code)) return undefined;
    throw error;
  }
}

/** Result of `work`; undefined for an invalid cursor or another meaningless address. */
export async function unlessInvalid<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error) && error.code === "invalid_request") return undefined;
    throw error;
  }
}
