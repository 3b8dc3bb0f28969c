/** The fields of a form post; undefined where the body is none that a form sends, or is too large. */
export const readForm = (request: Request): Promise<FormData | undefined> => request.formData().catch(() => undefined)
