"use client";

import { Field } from "@/components/ui/field";
import { Checkbox, NativeSelect } from "@/components/ui/input";

const ROLES = [
  { value: "owner", text: "Owner: everything, owners included" },
  { value: "admin", text: "Admin: everything but owners" },
  { value: "developer", text: "Developer: Web Apps, keys, Reports" },
  { value: "analyst", text: "Analyst: reads Reports" },
] as const;
export type Role = (typeof ROLES)[number]["value"];

/** Role and permission of a member. */
export type Access = { role: Role; canSeeAddresses: boolean };

const isRole = (text: string): text is Role => ROLES.some(({ value }) => value === text);
const seesByDefault = (role: Role) => role === "owner" || role === "admin";

/** Role and address permission; the permission follows the role until it is set. */
export function AccessFields({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <>
      <Field label="Role">
        <NativeSelect
          value={access.role}
          onChange={(event) => {
            const role = event.currentTarget.value;
            if (isRole(role)) onChange({ role, canSeeAddresses: seesByDefault(role) });
          }}
        >
          {ROLES.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <label className="flex gap-2">
        <Checkbox
          checked={access.canSeeAddresses}
          onChange={(event) => {
            onChange({ ...access, canSeeAddresses: event.currentTarget.checked });
          }}
        />
        <span>
          May see addresses and places
          <span className="block text-fg-muted">
            Without it, IP addresses, places and providers are shown as restricted, and no keys can be made: a key reads
            them.
          </span>
        </span>
      </label>
    </>
  );
}
