"use client";

import { Field } from "@/components/ui/field";
import { Checkbox, Input, NativeSelect } from "@/components/ui/input";

export type AlertChoice = { windowMinutes: number; isQuiet: boolean; quietFrom: string; quietTo: string };
type Props = { times: AlertChoice; zone: string; onTimes: (times: AlertChoice) => void };

const WINDOWS = [
  [15, "15 minutes"],
  [60, "1 hour"],
  [360, "6 hours"],
  [1440, "24 hours"],
] as const;

/** The window of an alert, and its quiet hours. */
export function AlertTimes({ times, zone, onTimes }: Props) {
  const set = (change: Partial<AlertChoice>) => {
    onTimes({ ...times, ...change });
  };
  return (
    <>
      <Field label="Within">
        <NativeSelect
          value={times.windowMinutes}
          onChange={(event) => {
            set({ windowMinutes: Number(event.currentTarget.value) });
          }}
        >
          {WINDOWS.map(([minutes, text]) => (
            <option key={minutes} value={minutes}>
              {text}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <label className="flex min-h-6 gap-2">
        <Checkbox
          checked={times.isQuiet}
          onCheck={(isQuiet) => {
            set({ isQuiet });
          }}
        />
        <span>
          Quiet hours
          <span className="block text-xs text-fg-muted">
            Notifications of what happens in them are sent when they end.
          </span>
        </span>
      </label>
      {times.isQuiet ? (
        <div className="grid grid-cols-2 gap-3">
          <Field label="From" hint={zone}>
            <Input
              type="time"
              required
              value={times.quietFrom}
              onText={(quietFrom) => {
                set({ quietFrom });
              }}
            />
          </Field>
          <Field label="To">
            <Input
              type="time"
              required
              value={times.quietTo}
              onText={(quietTo) => {
                set({ quietTo });
              }}
            />
          </Field>
        </div>
      ) : null}
    </>
  );
}
