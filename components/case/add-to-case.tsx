"use client";

import { BriefcaseBusiness } from "lucide-react";
import { lazy, Suspense, useState } from "react";

import { Button } from "@/components/ui/button";
import type { AddToCaseProps } from "./add-dialog";

/** Loaded on demand. */
const AddDialog = lazy(() => import("./add-dialog"));

/** Adds what a page is about to a case, or opens one with it. */
export function AddToCase(props: AddToCaseProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        <BriefcaseBusiness aria-hidden />
        Add to case…
      </Button>
      {isOpen ? (
        <Suspense>
          <AddDialog
            {...props}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
