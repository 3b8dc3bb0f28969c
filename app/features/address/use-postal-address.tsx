import type { ReactNode, RefObject } from 'react'
import type { AddressField } from '~/platform/forms/address-values'
import { AddressFields } from '~/ui/address-fields'
import { useHydrated } from '~/ui/visibility'
import { useAddressSearch } from './use-address-search'
import { useAddressWords } from './use-address-words'

/** A field of a form, as far as an address needs it. */
interface FormField {
  state: { value: string; meta: { errors: readonly unknown[] } }
  handleChange: (value: string) => void
}

interface AddressPlace {
  legend: ReactNode
  /** Puts one of the address's fields into the form. */
  field: (name: AddressField, draw: (field: FormField) => ReactNode) => ReactNode
  errorOf: (name: AddressField, faulty: boolean) => string | undefined
}

/** The postal address of a form: `draw` draws it there, `wants` are what its parts want. What was looked up is filled in by `set`. */
export function usePostalAddress(
  form: RefObject<HTMLFormElement | null>,
  set: (name: AddressField, value: string) => void,
) {
  const words = useAddressWords()
  const hydrated = useHydrated()
  const entered = (name: AddressField) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const search = useAddressSearch(({ postcode, road }) => {
    // The door of another street is none of this one.
    if (![undefined, '', road].includes(entered('address.road')?.value)) set('address.detail', '')
    set('address.postcode', postcode)
    set('address.road', road)
    requestAnimationFrame(() => entered('address.detail')?.focus())
  })

  const draw = ({ legend, field, errorOf }: AddressPlace) =>
    field('address.postcode', (postcode) =>
      field('address.road', (road) =>
        field('address.detail', (detail) => {
          const fault = (name: AddressField, { state }: FormField) => errorOf(name, state.meta.errors.length > 0)
          return (
            <AddressFields
              legend={legend}
              names={{ postcode: 'address.postcode', road: 'address.road', detail: 'address.detail' }}
              labels={words.labels}
              values={{ postcode: postcode.state.value, road: road.state.value, detail: detail.state.value }}
              errors={{
                postcode: fault('address.postcode', postcode),
                road: fault('address.road', road),
                detail: fault('address.detail', detail),
              }}
              onChange={(part, value) => ({ postcode, road, detail })[part].handleChange(value)}
              search={
                hydrated
                  ? { label: words.search, onSearch: () => search(road.state.value || postcode.state.value) }
                  : undefined
              }
            />
          )
        }),
      ),
    )
  return { wants: words.wants, draw }
}
