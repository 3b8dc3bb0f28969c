import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId } from 'react'
import type { AddressMatch } from '#contract/accounts.ts'
import type { AddressField } from '~/platform/forms/address-values'
import { closeModal, type ModalDetail, modalEvents, openModal } from '~/platform/modals/modal-events'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { AddressFields } from '~/ui/address-fields'
import { useHydrated } from '~/ui/visibility'

/** What the modal is opened with, and what it closes with. */
export interface AddressSearchRequest {
  /** Who asked: a page may hold more than one address. */
  asker: string
  words: string
}
interface AddressAnswer {
  asker: string
  match: AddressMatch
}

/** The modal's answer to whoever opened it. */
export const closeWithAddress = (answer: AddressAnswer) => closeModal('searchAddress', answer)

/** Opens the searchAddress modal with some words, and hears of the address chosen there. */
function useAddressSearch(onChoose: (match: AddressMatch) => void): (words: string) => void {
  const asker = useId()
  const onClose = useEffectEvent(({ detail: { name, data } }: CustomEvent<ModalDetail>) => {
    const answer = data as AddressAnswer | undefined
    if (name === 'searchAddress' && answer?.asker === asker) onChoose(answer.match)
  })
  useEffect(() => {
    window.addEventListener(modalEvents.close, onClose)
    return () => window.removeEventListener(modalEvents.close, onClose)
  }, [])
  return (words) => openModal('searchAddress', { asker, words } satisfies AddressSearchRequest)
}

/** What the parts of an address are called, and what each of them wants. */
function useAddressLabels(searchable: boolean) {
  const { t } = useLingui()
  return {
    labels: { postcode: t`Postal code`, road: t`Street address`, detail: t`Apartment, floor, unit` },
    wants: {
      'address.postcode': searchable
        ? t`Enter your postal code, or search for your address.`
        : t`Enter your postal code.`,
      'address.road': searchable ? t`Enter your street address, or search for it.` : t`Enter your street address.`,
      'address.detail': t`Use 200 characters or fewer.`,
    } satisfies Record<AddressField, string>,
    search: t`Find address`,
  }
}

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
  const hydrated = useHydrated()
  // The search knows Korean addresses alone.
  const { locale, currency } = useSiteSettings().base
  const searchable = hydrated && (locale === 'ko' || currency === 'KRW')
  const words = useAddressLabels(searchable)
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
                searchable
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
