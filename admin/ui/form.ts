import type { FormEvent } from 'react'

/** The texts of a form's fields by their names. A checkbox that is not checked is absent. */
const textsOf = (form: HTMLFormElement): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** A form's handler that reads its texts. */
export const onSubmit =
  (send: (texts: ReturnType<typeof textsOf>, form: HTMLFormElement) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send(textsOf(event.currentTarget), event.currentTarget)
  }
