"use client";

import { cloneElement, type ReactElement, type ReactNode, useId } from "react";

import { cn } from "./class-names";
import { elementOf } from "./with-props";

type ControlProps = { id?: string; "aria-describedby"?: string | undefined; "aria-invalid"?: true | undefined };

/** A labelled control with hint and error, associated for assistive technology. */
export function Field(props: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  className?: string;
  children: ReactElement<ControlProps>;
}) {
  const base = useId();
  const control = elementOf(props.children);
  const id = control.props.id ?? `${base}-control`;
  const describedBy = [props.hint ? `${base}-hint` : "", props.error ? `${base}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1", props.className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
        {props.optional ? <span className="font-normal text-fg-muted"> (optional)</span> : null}
      </label>
      {cloneElement(control, {
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": props.error ? true : undefined,
      })}
      {props.hint ? (
        <p id={`${base}-hint`} className="text-xs text-fg-muted">
          {props.hint}
        </p>
      ) : null}
      <div id={`${base}-error`} aria-live="polite" className="text-xs text-dec empty:hidden">
        {props.error}
      </div>
    </div>
  );
}
