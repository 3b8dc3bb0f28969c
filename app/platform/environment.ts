/**
 * The variables that the storefront reads: it also runs without the API's process, at the edge. It
 * reads them with each request, because there they are set per request.
 */
export const environment = {
  /** The origin of the API, where none runs in this process. */
  get apiUrl() {
    return process.env.API_URL
  },
  /** The public origin, where it differs from the origin of the request. */
  get publicUrl() {
    return process.env.PUBLIC_URL
  },
  /** Whether HSTS also binds all hosts below a store's host. */
  get hstsSubdomains() {
    return process.env.HSTS_INCLUDE_SUBDOMAINS === 'true'
  },
  /** The store shown at hosts without a store. */
  get defaultCustomerCode() {
    return process.env.DEFAULT_CUSTOMER_CODE
  },
}
