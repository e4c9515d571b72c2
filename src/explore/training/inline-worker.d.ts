/** A worker that vite bundles into the page: it starts from any web server and from a file. */
declare module "*?worker&inline" {
  const InlineWorker: new (options?: { readonly name?: string }) => Worker;
  export default InlineWorker;
}
