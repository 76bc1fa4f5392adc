"use client";

import { BriefcaseBusiness } from "lucide-react";
import { Suspense, useState } from "react";

import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import type { AddToCaseProps } from "./add-dialog";

/** Loaded on demand. */
const AddDialog = lazyDialog(() => import("./add-dialog"));

/** Adds the object of a page to a case, or opens a new case with it. */
export function AddToCaseButton(props: AddToCaseProps) {
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
