"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useSyncExternalStore } from "react";

import { cn } from "./class-names";

const CHOICES = [
  { value: "light", label: "Light theme", Icon: Sun },
  { value: "dark", label: "Dark theme", Icon: Moon },
  { value: "system", label: "Theme of the system", Icon: Monitor },
] as const;

const subscribeToNothing = () => () => undefined;

/** False during hydration, because the server does not know the choice. */
const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const isHydrated = useIsHydrated();
  return (
    // A fixed width: a page that is drawn in the pieces in which it arrives does not move what stands beside it.
    <div role="group" aria-label="Theme" className="inline-flex w-19.5 rounded-md border p-0.5">
      {CHOICES.map(({ value, label, Icon }) => {
        const isChosen = isHydrated && theme === value;
        return (
          <button
            key={value}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={isChosen}
            onClick={() => {
              setTheme(value);
            }}
            className={cn(
              "flex size-6 items-center justify-center rounded-sm base:text-fg-muted",
              isChosen && "bg-surface-2 text-fg",
            )}
          >
            <Icon aria-hidden className="size-3.5" />
          </button>
        );
      })}
    </div>
  );
}
