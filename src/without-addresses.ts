// TEMPORARY: the old place, until every caller imports src/text.
export { withoutAddresses, withoutQuery } from "./text/redact.js";
