"use client";

import { ArrowUpRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useId, useRef } from "react";

import { buttonStyle } from "@/components/ui/button";
import { DialogDismiss } from "@/components/ui/dialog";
import { Modal } from "@/components/ui/modal";

type Props = {
  title: string;
  /** URL of the full page. */
  href?: string;
  actions?: ReactNode;
  children: ReactNode;
};

/** A panel over the right side of a list; closing it returns to the list and focuses the row that opened it. */
export function SidePanel({ title, href, actions, children }: Props) {
  const router = useRouter();
  const titleId = useId();
  // Going back takes a moment, during which Escape may be pressed again.
  const isLeaving = useRef(false);
  const leave = () => {
    if (!isLeaving.current) router.back();
    isLeaving.current = true;
  };
  return (
    <Modal
      titleId={titleId}
      onDismiss={leave}
      className="fixed inset-y-0 right-0 left-auto h-dvh max-h-none w-full max-w-160 border-l bg-bg outline-none backdrop:bg-[oklch(0_0_0/.3)]"
    >
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
        <h2 id={titleId} className="min-w-0 flex-1 text-base font-semibold wrap-anywhere">
          {title}
        </h2>
        {href ? (
          // A plain link: client-side navigation would open this panel again.
          <a href={href} className={buttonStyle({ variant: "secondary" })}>
            Open as a page <ArrowUpRight aria-hidden />
          </a>
        ) : null}
        <DialogDismiss label="Close" className="size-8" />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0} role="region" aria-label={title}>
        {actions ? <div className="mb-4 flex flex-wrap gap-2">{actions}</div> : null}
        {children}
      </div>
    </Modal>
  );
}
