//! Draws discs: anti-aliased, on a dark background, each with its colour and alpha, and a faint glow.
//!
//! Colours are mixed in linear brightness, and encoded when the picture is complete.

use crate::particles::{BOX_HEIGHT, BOX_WIDTH, Disc};
use image::{Rgb, RgbImage};

/// The background colour, encoded.
const GROUND: [u8; 3] = [11, 13, 23];

/// Exponent between encoded and linear brightness.
const GAMMA: f32 = 2.2;

/// Brightness of the glow at its centre, relative to its disc.
const GLOW: f32 = 0.10;

/// The radius of the glow, in radii of its disc.
const GLOW_REACH: f32 = 3.5;

/// Draws the box and the discs in it. `scale` is pixels of the picture per pixel of the box; the
/// picture has 1440 × 900 pixels times that. Later discs cover earlier ones.
///
/// Takes time proportional to the area of the picture and of the discs.
///
/// ```
/// use ecs_examples::particles::random_discs;
/// use ecs_examples::program::report::picture::draw;
///
/// let picture = draw(random_discs(1000, 1), 0.5);
/// assert_eq!(picture.dimensions(), (720, 450));
/// ```
pub fn draw(discs: impl IntoIterator<Item = Disc>, scale: f32) -> RgbImage {
    let mut canvas = Canvas::new((BOX_WIDTH * scale) as usize, (BOX_HEIGHT * scale) as usize);
    for disc in discs {
        canvas.draw(&disc, scale);
    }
    canvas.encoded()
}

/// A picture in progress: linear red, green and blue of each pixel, where 1 is full brightness.
struct Canvas {
    width: usize,
    pixels: Vec<[f32; 3]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, pixels: vec![GROUND.map(linear); width * height] }
    }

    fn draw(&mut self, disc: &Disc, scale: f32) {
        let [r, g, b, alpha] = disc.color;
        let color = [r, g, b].map(linear);
        let center = disc.position.map(|place| place * scale);
        let radius = disc.radius * scale;
        // The coverage of a pixel grows linearly over one pixel's width with the distance of its centre inside the
        // edge. A disc smaller than a pixel covers only its share of it.
        let share = (2.0 * radius).min(1.0) * f32::from(alpha) / 255.0;
        let glow = GLOW_REACH * radius;
        self.near(center, glow.max(radius + 0.5), |pixel, distance| {
            let cover = (radius + 0.5 - distance).clamp(0.0, 1.0) * share;
            let shine = (1.0 - distance / glow).max(0.0).powi(2) * GLOW * share;
            for (under, over) in pixel.iter_mut().zip(color) {
                *under += (over - *under) * cover + over * shine * (1.0 - cover);
            }
        });
    }

    /// Calls `paint` with every pixel whose centre lies within `reach` of `center` (and some around), and the
    /// distance between the two.
    fn near(&mut self, center: [f32; 2], reach: f32, mut paint: impl FnMut(&mut [f32; 3], f32)) {
        // Casts saturate, so discs outside the box do not index outside the picture.
        let range = |place: f32, size: usize| {
            let (first, last) = ((place - reach).floor(), (place + reach).ceil());
            first as usize..(last as usize).min(size)
        };
        let [x, y] = center;
        for row in range(y, self.pixels.len() / self.width) {
            for column in range(x, self.width) {
                let (dx, dy) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
                paint(&mut self.pixels[row * self.width + column], dx.hypot(dy));
            }
        }
    }

    fn encoded(&self) -> RgbImage {
        let height = self.pixels.len() / self.width;
        RgbImage::from_fn(self.width as u32, height as u32, |x, y| {
            Rgb(self.pixels[y as usize * self.width + x as usize].map(encoded))
        })
    }
}

fn linear(value: u8) -> f32 {
    (f32::from(value) / 255.0).powf(GAMMA)
}

fn encoded(value: f32) -> u8 {
    (value.min(1.0).powf(1.0 / GAMMA) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(position: [f32; 2], radius: f32, color: [u8; 4]) -> Disc {
        Disc { position, radius, color, velocity: [0.0; 2], acceleration: [0.0; 2], life: 1.0 }
    }

    #[test]
    fn a_disc_covers_its_inside_and_softens_its_edge() {
        let picture = draw([disc([100.0, 50.0], 4.0, [255, 0, 0, 255])], 1.0);
        let empty = draw([], 1.0);
        assert_eq!(picture.get_pixel(100, 50), &Rgb([255, 0, 0]));
        assert_eq!(picture.get_pixel(116, 50), empty.get_pixel(116, 50));
        let edge = picture.get_pixel(103, 51)[0];
        let glow = picture.get_pixel(106, 50)[0];
        assert!(11 < glow && glow < edge && edge < 255, "{glow} {edge}");
    }

    #[test]
    fn alpha_lets_the_ground_through() {
        let center = |alpha| {
            let picture = draw([disc([100.0, 50.0], 4.0, [255, 0, 0, alpha])], 1.0);
            picture.get_pixel(100, 50)[0]
        };
        assert_eq!(center(0), GROUND[0]);
        let half = linear(center(128));
        assert!((half - 0.5).abs() < 0.05, "half the light, not {half} of it");
    }

    #[test]
    fn discs_may_stick_out_of_the_box() {
        for position in [[-1.0, -1.0], [1441.0, 901.0], [-1e30, 1e30]] {
            draw([disc(position, 3.0, [255; 4])], 1.0);
        }
    }
}
