//! The arithmetic of one example: the output, and how it changes with every weight.

use crate::{Example, Shape};

/// Numbers that are computed together.
pub const LANES: usize = 16;

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The hidden layers of one example, of the side to move and of the other side.
pub struct Scratch {
    layers: [Vec<f32>; 2],
    /// How the loss changes with each unit of a layer.
    slopes: Vec<f32>,
}

impl Scratch {
    pub fn new(shape: Shape) -> Scratch {
        let layer = vec![0.0; shape.width];
        Scratch { layers: [layer.clone(), layer.clone()], slopes: layer }
    }

    /// Computes the output of an example.
    pub fn forward(&mut self, shape: Shape, weights: &[f32], example: &Example) -> f32 {
        let width = shape.width;
        let bias = &weights[shape.bias()..][..width];
        let output = &weights[shape.output() + 2 * width * example.bucket..][..2 * width];
        let mut sum = weights[shape.output_bias() + example.bucket];
        let views = [&example.us, &example.them];
        for ((layer, view), output) in self.layers.iter_mut().zip(views).zip(output.chunks(width)) {
            layer.copy_from_slice(bias);
            for &input in &view[..example.count] {
                add(layer, &weights[usize::from(input) * width..][..width]);
            }
            sum += dot(layer, output);
        }
        sum
    }

    /// Adds to `gradient` how the loss of an example changes with every weight, and returns the loss.
    pub fn learn(&mut self, shape: Shape, weights: &[f32], gradient: &mut [f32], example: &Example) -> f32 {
        let expected = sigmoid(example.known + self.forward(shape, weights, example));
        let error = expected - example.target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        let width = shape.width;
        let first = shape.output() + 2 * width * example.bucket;
        gradient[shape.output_bias() + example.bucket] += slope;
        let views = [&example.us, &example.them];
        for (side, (layer, view)) in self.layers.iter().zip(views).enumerate() {
            let place = first + side * width;
            let output = &weights[place..][..width];
            let sums = layer.iter().zip(output).zip(&mut gradient[place..][..width]);
            for (slopes, ((layer, output), sum)) in self.slopes.iter_mut().zip(sums) {
                let unit = layer.clamp(0.0, 1.0);
                *sum += slope * unit * unit;
                let inside = if unit == *layer { unit } else { 0.0 };
                *slopes = 2.0 * slope * output * inside;
            }
            add(&mut gradient[shape.bias()..][..width], &self.slopes);
            for &input in &view[..example.count] {
                add(&mut gradient[usize::from(input) * width..][..width], &self.slopes);
            }
        }
        error * error
    }
}

#[inline(always)]
fn add(target: &mut [f32], numbers: &[f32]) {
    for (target, number) in target.iter_mut().zip(numbers) {
        *target += number;
    }
}

/// The sum of the activated units of a layer times their weights.
#[inline(always)]
fn dot(layer: &[f32], weights: &[f32]) -> f32 {
    let mut parts = [0.0; LANES];
    for (layer, weights) in layer.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for (part, (unit, weight)) in parts.iter_mut().zip(layer.iter().zip(weights)) {
            let unit = unit.clamp(0.0, 1.0);
            *part += unit * unit * weight;
        }
    }
    parts.iter().sum()
}
