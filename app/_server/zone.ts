import { cookies } from "next/headers";
import { cache } from "react";

import { isZone, UTC, ZONE_COOKIE } from "@/components/ui/zone";
import { decodeCookie } from "@/lib/platform/decode-cookie";

/** The time zone that this person chose for display, UTC by default. */
export const pageZone = cache(async (): Promise<string> => {
  const chosen = (await cookies()).get(ZONE_COOKIE)?.value;
  const zone = chosen === undefined ? UTC : decodeCookie(chosen);
  return isZone(zone) ? zone : UTC;
});
