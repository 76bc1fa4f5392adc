"use client";

import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";

import { choiceStyle } from "./choice";
import { UTC, ZONE_COOKIE } from "./zone";

const YEAR_SECONDS = 365 * 86_400;

const localZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const subscribe = () => () => undefined;

const remember = (zone: string) => {
  document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(zone)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
};

/** Switches times between UTC and the local zone; stored in a cookie, so that the server knows it. */
export function ZoneSwitch({ zone }: { zone: string }) {
  const router = useRouter();
  const local = useSyncExternalStore(subscribe, localZone, () => undefined);
  const choose = (chosen: string) => {
    remember(chosen);
    router.refresh();
  };
  const other = zone === UTC ? local : zone;
  const choices = [{ name: UTC, label: UTC }, ...(other && other !== UTC ? [{ name: other, label: other }] : [])];
  return (
    <div role="group" aria-label="Time zone" className="flex flex-wrap gap-1">
      {choices.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-pressed={zone === name}
          onClick={() => {
            choose(name);
          }}
          className={choiceStyle(zone === name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
