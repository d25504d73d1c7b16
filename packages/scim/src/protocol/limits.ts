/** The largest body, in bytes. */
export const mostBodyBytes = 1_048_576;

/** The most operations of a bulk request: it takes about as long as this number of requests, one after the other. */
export const mostBulkOperations = 100;
