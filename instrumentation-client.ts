import { listenForLeaving } from "@/components/ui/leave-question";

// Next runs this file before its router starts.
listenForLeaving();
