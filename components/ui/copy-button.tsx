"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { buttonStyle } from "./button";
import { cn } from "./class-names";

const SHOWN_MS = 1_600;

/** Copies `value`, or the adjacent code. Reports a missing clipboard (plain http beyond localhost). */
export function CopyButton(props: {
  value?: string;
  label: string;
  children?: string;
  className?: string;
  onCopied?: () => void;
}) {
  const [outcome, setOutcome] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => {
      setOutcome("idle");
    }, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [outcome]);

  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    const code = button.current?.parentElement?.querySelector("pre")?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(props.value ?? code);
      setOutcome("copied");
      props.onCopied?.();
    } catch {
      setOutcome("failed");
    }
  };
  const said = outcome === "copied" ? "Copied" : "Select it and copy by hand";
  return (
    <button
      ref={button}
      type="button"
      aria-label={props.children ? undefined : props.label}
      title={props.label}
      onClick={() => void copy()}
      className={cn(
        props.children
          ? buttonStyle({ variant: "secondary" })
          : cn(buttonStyle({ variant: "ghost", size: "mini" }), "align-middle"),
        props.className,
      )}
    >
      {outcome === "copied" ? <Check aria-hidden /> : props.children ? null : <Copy aria-hidden />}
      {props.children ? <span>{outcome === "idle" ? props.children : said}</span> : null}
      <span role="status" className="sr-only">
        {outcome === "idle" ? "" : said}
      </span>
    </button>
  );
}
