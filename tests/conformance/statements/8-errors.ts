import { by, inErrors, inSession, inShell, section } from './statement.ts'

/** The error catalogue. */
export const errors = section(8, [
  ['HTTP 400: toast showing the error code from the response', inErrors],
  ['HTTP 401: toast showing the error code from the response', inErrors],
  ['HTTP 403: toast showing the error code from the response', inErrors],
  ['422: validation errors stored', inErrors],
  ["500: toast 'A server error has occurred.'", inErrors],
  ["Any other status: toast 'An undefined error occurred.'", inErrors],
  ['A failed API call throws a generic error', inErrors],
  [
    "Invalid route: 'Page not found: {path}' (non-fatal 404)",
    by('e2e/shell.spec.ts', 'an unknown URL answers 404 with an error page inside the store'),
  ],
  ['Missing customer code: error thrown', inSession],
  [
    "Unknown modal name: error toast 'modal component loading error'",
    by('e2e/shell.spec.ts', 'an unknown modal shows a toast at the top right, which closes after three seconds'),
  ],
  [
    'Global error screen shows status code, message and go-home button',
    by('e2e/shell.spec.ts', 'a server error shows its status, message, request id and a link to the home page'),
  ],
  ['Only fatal or unhandled errors trigger the global error screen', inSession],
  ['Errors seen by crawler-like browsers are logged and the error page is not rendered', inSession],
  ['Chunk-load errors trigger a full reload to the target path', inSession],
  ['Manifest check failure with 404 or 403 is tolerated', by('app/platform.test.ts', 'reads %i with %s as newer: %s')],
  [
    'Other manifest check failures are rethrown',
    by('app/platform.test.ts', 'throws any other response for the manifest'),
  ],
  ["Locale load failure logs 'Failed locale loading'", inShell],
])
