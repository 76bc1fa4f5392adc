export { beginDemoWorkspace, createDemoWorkspace, deleteDemoWorkspace, fillDemoWorkspace } from "./demo-workspace";
export { makeDemoData } from "./make-demo-data";
