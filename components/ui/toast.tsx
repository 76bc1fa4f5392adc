"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";

import { buttonStyle } from "./button";

function ToastList() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border bg-surface shadow-lg transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-start gap-3 py-2.5 pr-2 pl-4">
        <div className="min-w-0 flex-1 py-1">
          <Base.Title className="font-medium" />
          <Base.Description className="text-fg-muted" />
        </div>
        <Base.Close aria-label="Dismiss" className={buttonStyle({ variant: "ghost", size: "icon" })}>
          <X aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-60 flex w-[calc(100vw-32px)] max-w-88 flex-col gap-2">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

/** Tells the person what happened, once, in words. */
export function useToast() {
  const manager = Base.useToastManager();
  return useMemo(
    () => ({
      show: (title: string, description?: string) => manager.add({ title, ...(description ? { description } : {}) }),
    }),
    [manager],
  );
}
