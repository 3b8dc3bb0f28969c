import { own, rent } from '../model/options.ts'

/** The house's prices, in cents. */
export const FILM_OFFER = [own('Own it', 299), rent('Rent for 3 days', 99, 3)]
export const NEW_FILM_OFFER = [own('Own it', 349, 449), rent('Rent for 3 days', 129, 3)]
export const SERIES_OFFER = [own('Own the series', 699), rent('Rent for 7 days', 249, 7)]
