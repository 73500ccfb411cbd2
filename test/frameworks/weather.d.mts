export const CITIES: readonly string[];
export function getWeather(question: { readonly city: string }): Promise<object>;
export function deleteAccount(question: { readonly reason: string }): object;
