type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement

/** What a browser may keep: no passwords, no files. */
const isStorable = (control: Control) => control.name !== '' && !['password', 'file'].includes(control.type)

const isChoice = (control: Control): control is HTMLInputElement => ['checkbox', 'radio'].includes(control.type)

/** Returns the control of a form that an event types into. A search changes nothing. */
export const typedControl = ({ target }: Event, form: HTMLFormElement | null): Control | null =>
  form !== null &&
  target instanceof Element &&
  isControl(target) &&
  target.form === form &&
  !['search', 'password', 'file'].includes(target.type)
    ? target
    : null

const controlsOf = (form: HTMLFormElement): Control[] => [...form.elements].filter(isControl).filter(isStorable)

/** Returns the texts of a form by the names of its fields. Unchecked checkboxes are left out. */
export const textsToStore = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    controlsOf(form).flatMap((control) =>
      isChoice(control) && !control.checked ? [] : [[control.name, control.value] as const],
    ),
  )

/** Types a text into a field as a person does: React hears of it. */
export const typeInto = (control: Control, text: string): void => {
  // React watches the property of the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  if (control instanceof HTMLSelectElement) control.dispatchEvent(new Event('change', { bubbles: true }))
}

const nextFrame = () =>
  new Promise((resolve) => {
    // Frames wait while the tab is hidden.
    setTimeout(resolve, 50)
  })

/** How often it looks for fields that another field shows, or that are loaded. */
const rounds = 20

const fill = async (form: HTMLFormElement, texts: Readonly<Record<string, string>>): Promise<void> => {
  const left = new Set(Object.keys(texts))
  const filled = new Set<Control>()
  for (let round = 0; round < rounds; round++) {
    await nextFrame()
    for (const control of controlsOf(form)) {
      if (filled.has(control)) continue
      filled.add(control)
      left.delete(control.name)
      const text = texts[control.name]
      if (isChoice(control)) {
        if (control.checked !== (text === control.value)) control.click()
      } else if (text !== undefined && text !== control.value) typeInto(control, text)
    }
    if (left.size === 0) return
  }
}

/**
 * Fills a form with texts that were kept. A form that is sent meanwhile is sent once it is filled:
 * sent at once, it would store what the texts replace.
 */
export const restoreTexts = async (form: HTMLFormElement, texts: Readonly<Record<string, string>>): Promise<void> => {
  let held: SubmitEvent | undefined
  const hold = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    held = event
  }
  form.addEventListener('submit', hold, { capture: true })
  try {
    await fill(form, texts)
  } finally {
    form.removeEventListener('submit', hold, { capture: true })
  }
  if (!held) return
  // The button may have been drawn anew.
  const { submitter } = held
  form.requestSubmit(submitter && form.contains(submitter) ? submitter : null)
}
