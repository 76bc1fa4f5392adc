import { run } from "./lifecycle";
import { startPages } from "./pages";

/** Entry point of the pages process. Its own bundle has half the size of the server's. */
run(startPages);
