import { cookies } from "next/headers";

import { LIST_COOKIE, type ListPreferences, parsePreferences } from "@/components/report/list-preferences";

/** This person's preferences for lists of visits. */
export const listPreferences = async (): Promise<ListPreferences> =>
  parsePreferences((await cookies()).get(LIST_COOKIE)?.value);
