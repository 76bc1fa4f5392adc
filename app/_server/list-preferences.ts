import { cookies } from "next/headers";

import { LIST_COOKIE, type ListPreferences, parsePreferences } from "@/components/report/list-preferences";

/** What this person chose for lists of visits. */
export const listPreferences = async (): Promise<ListPreferences> =>
  parsePreferences((await cookies()).get(LIST_COOKIE)?.value);
