import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { urlOf } from '#contract/request-url.ts'
import { safeReturnPath } from '~/platform/address'
import { type CustomerApi, problemFromError } from '~/platform/api/client'
import { ApiError, isSignedOut, type Problem } from '~/platform/api/problem'
import type { FieldPath } from '~/platform/api/validation-errors'
import { withoutPrefix, withPrefix } from '~/platform/i18n/locales'
import type { RequestContext } from './request-context'
import { isSameOrigin } from './request-origin'

/** Longer than any valid field; limits what a refused page repeats. */
const longestField = 20_000

/** A form that a page of this store posted without JavaScript. */
export interface FormPost {
  /** Empty if the body was no form, or a field was too long. */
  fields: FormData
  /** The URL that the form was posted to. */
  url: Readonly<URL>
  api: CustomerApi
  requestContext: RequestContext
  /** A field's text; empty if it is missing or a file. */
  text: (name: string) => string
  /**
   * Parses the form's fields, or `input`.
   * @throws ApiError 422 with an empty message for each invalid field, so that the page shows its
   * own
   */
  parse: <Schema extends z.ZodMiniType>(schema: Schema, input?: unknown) => z.output<Schema>
  /** Refuses the form. @throws ApiError 422 with an empty message for each of the fields */
  invalid: (fields: readonly FieldPath[]) => never
  /** Redirects to the page of the form, with these search parameters. */
  back: (search?: Record<string, string>) => Response
  /** Redirects to a path of the store in the language of the form's address. */
  redirect: (path: string) => Response
}

interface FormAction<Outcome> {
  /** Does what the form asks for. Returns a redirect, or what the form's page shows. */
  submit: (form: FormPost) => Promise<Response | Outcome>
  /**
   * What follows a refusal, of the API or of `parse`. By default the page shows `?problem=CODE`.
   */
  refuse?: (problem: Problem, form: FormPost) => Response | Outcome
  /** Checked before the body is read, where it may be large. */
  authorize?: (requestContext: RequestContext) => Promise<unknown>
}

const badRequest: Problem = { status: 400, code: 'BAD_REQUEST', message: '', errors: {}, requestId: '' }

/**
 * Handles a form that was posted without JavaScript. Another origin is answered with 403.
 * @returns a redirect, or what the page shows; the response then has the status of the refusal.
 * After the end of the session a redirect to sign in, which returns to the page
 */
export async function formAction<Outcome = never>(
  request: Request,
  requestContext: RequestContext,
  { submit, refuse, authorize }: FormAction<Outcome>,
): Promise<Response | Outcome> {
  if (!isSameOrigin(request)) return new Response('This form is answered only to pages of this store.', { status: 403 })
  let form = formPost(new FormData(), request, requestContext)
  try {
    await authorize?.(requestContext)
    const fields = await readFields(request)
    if (!fields) throw new ApiError(badRequest)
    form = formPost(fields, request, requestContext)
    return await submit(form)
  } catch (error) {
    const problem = error instanceof ApiError ? error.problem : problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    if (isSignedOut(problem.code)) return form.redirect(signInPath(form.url))
    if (!refuse) return form.back({ problem: problem.code })
    const outcome = refuse(problem, form)
    if (!(outcome instanceof Response)) setResponseStatus(problem.status)
    return outcome
  }
}

/** The path of the sign-in page, which returns to the page of a form. */
function signInPath({ pathname, searchParams }: Readonly<URL>): string {
  const search = new URLSearchParams(searchParams)
  search.delete('problem')
  const page = safeReturnPath(withoutPrefix(pathname) + (search.size > 0 ? `?${search}` : '')) ?? '/'
  return `/login?${new URLSearchParams({ redirect: page })}`
}

/**
 * Answers with the redirect of a form, or shows its page with the outcome in the `serverContext`.
 */
export const answerOrShow = <Outcome, Shown>(
  outcome: Response | Outcome,
  next: (options: { context: { outcome: Outcome } }) => Shown,
): Response | Shown => (outcome instanceof Response ? outcome : next({ context: { outcome } }))

async function readFields(request: Request): Promise<FormData | undefined> {
  const fields = await request.formData().catch(() => undefined)
  const isTooLong = (value: unknown) => typeof value === 'string' && value.length > longestField
  return fields && [...fields.values()].some(isTooLong) ? undefined : fields
}

function invalid(fields: readonly string[]): never {
  throw new ApiError({ ...badRequest, status: 422, errors: Object.fromEntries(fields.map((field) => [field, ['']])) })
}

function formPost(fields: FormData, request: Request, requestContext: RequestContext): FormPost {
  const url = urlOf(request)
  return {
    fields,
    url,
    api: requestContext.api,
    requestContext,
    text: (name) => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    },
    parse: (schema, input = Object.fromEntries(fields)) => {
      const parsed = z.safeParse(schema, input)
      if (parsed.success) return parsed.data
      return invalid(parsed.error.issues.map(({ path }) => path.join('.')))
    },
    invalid,
    back: (search = {}) => {
      const params = new URLSearchParams(search)
      return seeOther((safeReturnPath(url.pathname) ?? '/') + (params.size > 0 ? `?${params}` : ''))
    },
    redirect: (path) => seeOther(requestContext.prefixed ? withPrefix(path, requestContext.locale) : path),
  }
}

/** 303, so that reloading the next page does not send a form again. */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

/** The errors of a refused form. */
export interface RefusedForm<Field extends FieldPath> {
  /** The first message of each field. Empty if the page has its own message for the field. */
  errors: Partial<Record<Field, string>>
  /** The problem's code, where no field explains the refusal. */
  code: string | null
}

/** Sorts a problem into the errors of the form's fields, and a code where there are none. */
export function refusedForm<Field extends FieldPath>(problem: Problem, fields: readonly Field[]): RefusedForm<Field> {
  const errors: Partial<Record<Field, string>> = {}
  for (const field of fields) {
    const [message] = problem.errors[field] ?? []
    if (message !== undefined) errors[field] = message
  }
  return { errors, code: Object.keys(errors).length > 0 ? null : problem.code }
}
